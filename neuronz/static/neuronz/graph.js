// The graph page: draws what the three addresses of the page answer (memories/admin/graph.py).
// Everything that comes from memories is put in as text, never as markup.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const root = document.getElementById("graph");
  if (!root) return;
  const form = root.querySelector("form");
  const panel = document.getElementById("graph-panel");
  const said = document.getElementById("graph-said");
  const rows = document.getElementById("graph-rows");
  const weak = document.getElementById("graph-weak");
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;

  const WEAK = "mentioned_with";
  const COLOURS = {
    person: "#0e7490", team: "#0891b2", organisation: "#4f46e5", product: "#9333ea", service: "#16a34a",
    place: "#ca8a04", date: "#a8a29e", document: "#c2410c", term: "#be185d", code: "#475569", other: "#7c8a92",
  };
  const SHAPES = {
    person: "ellipse", team: "round-hexagon", organisation: "round-octagon", product: "round-diamond",
    service: "round-rectangle", place: "round-triangle", date: "round-tag", document: "cut-rectangle",
    term: "round-pentagon", code: "barrel", other: "ellipse",
  };

  const words = (relation) => relation.replaceAll("_", " ");
  const spelled = (number, one) => `${number.toLocaleString("en")} ${one}${number === 1 ? "" : "s"}`;

  function made(tag, text = "", classes = "") {
    const element = document.createElement(tag);
    element.textContent = text;
    if (classes) element.className = classes;
    return element;
  }

  // Seen from afar the most named ones bear their names, in letters that stay readable; from near all of them do.
  const FROM_AFAR = 26;
  let scale = 1;
  const isNamed = (node) => scale < 1.35 || node.data("rank") < FROM_AFAR || node.hasClass("near") || node.hasClass("found");

  // --- looks: the canvas knows no CSS, so light and dark are two sets of values

  function looks() {
    const dark = document.documentElement.classList.contains("dark");
    const ink = dark ? "#e7eef0" : "#1d2a2e";
    const paper = dark ? "#161f23" : "#ffffff";
    const line = dark ? "#5b6e75" : "#9fb0b6";
    return [
      { selector: "node", style: {
        "background-color": (node) => COLOURS[node.data("type")] ?? COLOURS.other,
        shape: (node) => SHAPES[node.data("type")] ?? "ellipse",
        width: "data(size)", height: "data(size)", label: (node) => (isNamed(node) ? node.data("short") : ""), color: ink,
        "font-size": (node) => Math.min(node.data("font"), scale > 1.35 ? 13 : 22) * scale, "font-family": "Inter, system-ui, sans-serif", "font-weight": 500,
        "text-valign": "bottom", "text-margin-y": 4,
        "text-outline-color": paper, "text-outline-width": 2.5, "text-outline-opacity": 0.9,
        "border-width": 2, "border-color": paper, "overlay-opacity": 0 } },
      { selector: "edge", style: {
        width: "data(width)", "line-color": line, "curve-style": "bezier", "target-arrow-shape": "triangle",
        "target-arrow-color": line, "arrow-scale": 0.9, label: "data(label)", "font-size": () => 10 * Math.min(scale, 1.6), color: dark ? "#a9bcc3" : "#4b5f66",
        "text-rotation": "autorotate", "text-outline-color": paper, "text-outline-width": 2, "min-zoomed-font-size": 9,
        "font-family": "Inter, system-ui, sans-serif", "overlay-padding": 6, "overlay-opacity": 0 } },
      { selector: "edge.weak", style: {
        "line-style": "dashed", "line-dash-pattern": [4, 4], "target-arrow-shape": "none", opacity: dark ? 0.45 : 0.55, label: "", width: 1 } },
      { selector: ".faded", style: { opacity: 0.12, "text-opacity": 0.12 } },
      { selector: "node.near, node:selected", style: { "z-index": 10 } },
      { selector: "edge.near", style: { opacity: 1, "min-zoomed-font-size": 0, "line-color": dark ? "#7fd3dc" : "#0e7490", "target-arrow-color": dark ? "#7fd3dc" : "#0e7490", "z-index": 9 } },
      { selector: "node:selected", style: { "border-width": 4, "border-color": dark ? "#7fd3dc" : "#0b4f5c" } },
      { selector: "node.found", style: { "border-width": 4, "border-color": "#f59e0b" } },
      { selector: "edge:selected", style: { width: 4, opacity: 1 } },
    ];
  }

  const drawing = cytoscape({
    container: document.getElementById("graph-canvas"), style: looks(), minZoom: 0.08, maxZoom: 4, boxSelectionEnabled: false,
    selectionType: "single",
  });
  window.neuronzGraph = drawing; // for tests, and for whoever looks with the browser's tools
  new MutationObserver(() => drawing.style(looks())).observe(document.documentElement, { attributes: true, attributeFilter: ["class"] });

  drawing.on("zoom", () => {
    const next = Math.min(3, Math.max(1, 0.95 / drawing.zoom()));
    if (Math.abs(next - scale) < 0.08 * scale) return;
    scale = next;
    drawing.style().update();
  });

  // --- what is asked for

  function asked(more = {}) {
    const query = new URLSearchParams();
    query.set("product", form.elements.product.value);
    const types = [...form.querySelectorAll("[name=type]:checked")].map((box) => box.value);
    (types.length ? types : ["none"]).forEach((type) => query.append("type", type));
    for (const [name, value] of Object.entries(more)) [value].flat().forEach((each) => query.append(name, each));
    return query;
  }

  async function ask(address, query) {
    try {
      const answer = await fetch(`${address}?${query}`, { headers: { Accept: "application/json" } });
      if (answer.ok && !answer.redirected) return await answer.json();
      say(answer.redirected ? "You are logged out; reload the page." : `It could not be read (${answer.status}); reload the page.`);
    } catch {
      say("The server does not answer.");
    }
    return null;
  }

  function say(sentence, empty = false) {
    said.textContent = sentence;
    said.classList.toggle("graph-empty", empty);
  }

  function node(entity) {
    const size = Math.min(64, 16 + 7 * Math.sqrt(entity.memories));
    const short = entity.name.length > 26 ? `${entity.name.slice(0, 25)}…` : entity.name;
    return { group: "nodes", data: { ...entity, size, short, font: Math.min(22, 11 + 1.6 * Math.sqrt(entity.memories)) } };
  }

  function edge(relation) {
    const isWeak = relation.relation === WEAK;
    return {
      group: "edges", classes: isWeak ? "weak" : "",
      data: { ...relation, source: relation.subject, target: relation.object, label: isWeak ? "" : words(relation.relation), width: Math.min(5, 1.2 + 0.5 * Math.log2(relation.memories + 1)) },
    };
  }

  function lay(options = {}) {
    const many = drawing.nodes().length;
    drawing.layout({
      name: "fcose", quality: many > 150 ? "default" : "proof", animate: !still && many < 120, animationDuration: 400,
      nodeSeparation: 110, idealEdgeLength: (each) => (each.hasClass("weak") ? 130 : 95), nodeRepulsion: 9000, gravity: 0.3,
      nodeDimensionsIncludeLabels: true, packComponents: true, padding: 40, tilingPaddingVertical: 30, tilingPaddingHorizontal: 40,
      ...options,
    }).run();
  }

  async function draw() {
    const q = form.elements.q.value.trim();
    say("Drawing …");
    const found = await ask(root.dataset.picture, asked(q ? { q } : {}));
    if (!found) return;
    close();
    drawing.elements().remove();
    drawing.add([...found.entities.map(node), ...found.relations.map(edge)]);
    if (q) {
      const folded = q.toLocaleLowerCase();
      drawing.nodes().filter((each) => each.data("name").toLocaleLowerCase().includes(folded)).addClass("found");
    }
    told(found.is_cut, q);
    lay({ randomize: true });
  }

  async function expand(chosen) {
    const before = drawing.nodes().length;
    const found = await ask(root.dataset.around.replace("00000000-0000-0000-0000-000000000000", chosen.id()), asked());
    if (!found) return;
    const room = Number(root.dataset.most) - before;
    const fresh = found.entities.filter((each) => drawing.getElementById(each.id).empty());
    const taken = fresh.slice(0, Math.max(0, room));
    const at = chosen.position();
    drawing.add(taken.map((each, place) => ({ ...node(each), position: { x: at.x + 60 * Math.cos(place), y: at.y + 60 * Math.sin(place) } })));
    const there = (id) => drawing.getElementById(id).nonempty();
    drawing.add(found.relations.filter((each) => !there(each.id) && there(each.subject) && there(each.object)).map(edge));
    if (taken.length) {
      const fixed = drawing.nodes().filter((each) => !taken.some((one) => one.id === each.id()));
      lay({ randomize: false, fixedNodeConstraint: fixed.map((each) => ({ nodeId: each.id(), position: { ...each.position() } })) });
    }
    told(taken.length < fresh.length);
    say(taken.length ? `${spelled(taken.length, "name")} more${taken.length < fresh.length ? "; there is no room for the others" : ""}.` : "Nothing more is connected with it.");
    choose(chosen);
  }

  function told(isCut, q = "") {
    hideWeak();
    drawing.nodes().sort((one, other) => other.data("memories") - one.data("memories")).forEach((each, rank) => { each.data("rank", rank); });
    const number = drawing.nodes().length;
    const count = {};
    drawing.nodes().forEach((each) => { count[each.data("type")] = (count[each.data("type")] ?? 0) + 1; });
    form.querySelectorAll("[name=type]").forEach((box) => { box.parentElement.querySelector("b").textContent = count[box.value] ?? ""; });
    if (!number) {
      return say(q ? "No name like that in the current facts." : "Nothing to draw yet: names appear here as soon as facts mention them.", true);
    }
    say(`${spelled(number, "name")}, ${spelled(drawing.edges().length, "connection")}${isCut ? `; the most named ones of more than ${root.dataset.most}` : ""}`);
    list();
  }

  function hideWeak() {
    drawing.edges(".weak").style("display", weak.checked ? "element" : "none");
  }

  // --- the list, for whoever does not see the picture

  function list() {
    rows.replaceChildren(...drawing.edges().map((each) => {
      const row = made("tr");
      const cells = [button(each.source()), made("span", words(each.data("relation"))), button(each.target()), button(each, String(each.data("memories")))];
      row.append(...cells.map((cell) => { const box = made("td"); box.append(cell); return box; }));
      return row;
    }));
  }

  function button(element, text = element.data("name")) {
    const found = made("button", text, "graph-link");
    found.type = "button";
    found.dir = "auto";
    found.addEventListener("click", () => { drawing.elements().unselect(); element.select(); });
    return found;
  }

  // --- the panel: what was clicked, and the facts that prove it

  function close() {
    panel.hidden = true;
    drawing.elements().removeClass("faded near");
  }

  function light(element) {
    const near = element.isNode() ? element.closedNeighborhood() : element.union(element.connectedNodes());
    drawing.batch(() => {
      drawing.elements().removeClass("near").addClass("faded");
      near.removeClass("faded").addClass("near");
    });
  }

  function head(title, below) {
    const end = made("button", "", "graph-close");
    end.type = "button";
    end.setAttribute("aria-label", "Close");
    const cross = made("span", "close", "material-symbols-outlined");
    cross.setAttribute("aria-hidden", "true");
    end.append(cross);
    end.addEventListener("click", () => { drawing.elements().unselect(); close(); });
    const heading = made("h2", title);
    heading.dir = "auto";
    panel.replaceChildren(end, heading, made("p", below, "desk-quiet"));
    panel.hidden = false;
  }

  function act(text, icon, does) {
    const found = made("button", "", "desk-button");
    found.type = "button";
    const sign = made("span", icon, "material-symbols-outlined");
    sign.setAttribute("aria-hidden", "true");
    found.append(sign, made("span", text));
    found.addEventListener("click", does);
    return found;
  }

  async function facts(query, title) {
    const found = await ask(root.dataset.facts, query);
    if (!found) return null;
    const all = made("ul");
    all.append(...found.facts.map((fact) => {
      const item = made("li", "", "graph-fact");
      const link = made("a", fact.content);
      link.href = fact.address;
      link.dir = "auto";
      item.append(link, made("span", `${fact.status} · ${fact.tier} · ${fact.recorded}`));
      return item;
    }));
    return [made("h3", found.is_cut ? `${title}, the newest ${found.facts.length}` : title), all];
  }

  async function choose(element) {
    light(element);
    return element.isNode() ? chooseName(element) : chooseRelation(element);
  }

  async function chooseName(chosen) {
    const { name, type, aliases, memories } = chosen.data();
    head(name, `${type}, named by ${spelled(memories, "fact")}`);
    if (aliases.length) panel.append(made("p", `Also written ${aliases.slice(0, 6).join(", ")}`, "desk-quiet"));
    const acts = made("div", "", "desk-acts");
    acts.append(
      act("Expand", "open_in_full", () => expand(chosen)),
      act("Hide", "visibility_off", () => { chosen.remove(); close(); told(false); }),
    );
    panel.append(acts);
    const stated = chosen.connectedEdges().filter((each) => !each.hasClass("weak"));
    if (stated.nonempty()) {
      const all = made("ul");
      all.append(...stated.map((each) => {
        const item = made("li");
        item.append(button(each, `${each.source().data("name")} ${words(each.data("relation"))} ${each.target().data("name")}`));
        return item;
      }));
      panel.append(made("h3", "Relations"), all);
    }
    const found = await facts(asked({ entity: chosen.id() }), "Facts that name it");
    if (found && chosen.selected()) panel.append(...found);
  }

  async function chooseRelation(chosen) {
    const isWeak = chosen.hasClass("weak");
    const ends = [chosen.source().data("name"), chosen.target().data("name")];
    head(isWeak ? ends.join(" · ") : `${ends[0]} ${words(chosen.data("relation"))} ${ends[1]}`,
      isWeak ? "The same facts name both, and say no more than that." : `Stated by ${spelled(chosen.data("memories"), "fact")}`);
    const found = await facts(asked({ id: chosen.data("evidence") }), "Evidence");
    if (found && chosen.selected()) panel.append(...found);
  }

  // --- hands

  drawing.on("select", "node, edge", (event) => choose(event.target));
  drawing.on("tap", (event) => { if (event.target === drawing) { drawing.elements().unselect(); close(); } });
  drawing.on("dbltap", "node", (event) => expand(event.target));
  drawing.on("mouseover", "node, edge", () => { drawing.container().style.cursor = "pointer"; });
  drawing.on("mouseout", "node, edge", () => { drawing.container().style.cursor = ""; });
  form.addEventListener("submit", (event) => { event.preventDefault(); draw(); });
  form.addEventListener("change", (event) => {
    if (event.target.name === "type") draw();
    else if (event.target.name === "product") { form.elements.q.value = ""; draw(); } else if (event.target === weak) hideWeak();
  });
  form.elements.q.addEventListener("search", () => { if (!form.elements.q.value) draw(); });
  const zoom = (by) => drawing.zoom({ level: drawing.zoom() * by, renderedPosition: { x: drawing.width() / 2, y: drawing.height() / 2 } });
  document.getElementById("graph-closer").addEventListener("click", () => zoom(1.3));
  document.getElementById("graph-farther").addEventListener("click", () => zoom(1 / 1.3));
  document.getElementById("graph-fit").addEventListener("click", () => drawing.fit(undefined, 40));
  document.getElementById("graph-again").addEventListener("click", () => { form.elements.q.value = ""; draw(); });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !panel.hidden) { drawing.elements().unselect(); close(); }
  });
  draw();
});
