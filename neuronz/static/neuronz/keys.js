// Working through a queue by hand: a row under the cursor, and acts by one key each.
// A list marks nothing up for it: its rows are those of Django's result table. Focus really moves, so a screen reader
// follows; what is not seen to change is said in a live region.
"use strict";

(() => {
  const ROWS = "#result_list tbody tr";
  const HELP = [
    ["j", "Next row"], ["k", "Row before"], ["Enter", "Open the row"], ["x", "Tick the row"],
    ["v", "Verify the fact"], ["r", "Retire the fact"], ["1 – 5", "Answer a pair"], ["u", "Undo, or restore"],
    ["/", "Search"], ["?", "This list"],
  ];
  let here = -1;

  const rows = () => [...document.querySelectorAll(ROWS)];
  const link = (row) => row?.querySelector("th a[href], td a[href]:not([download])");

  function region() {
    let found = document.getElementById("desk-said");
    if (!found) {
      found = document.createElement("div");
      found.id = "desk-said";
      found.className = "desk-said";
      found.setAttribute("aria-live", "polite");
      document.body.append(found);
    }
    return found;
  }

  function say(sentence) {
    region().textContent = sentence;
  }

  function go(to) {
    const all = rows();
    if (!all.length) return say("There are no rows here.");
    here = Math.max(0, Math.min(all.length - 1, to));
    all.forEach((row, at) => row.classList.toggle("desk-row-here", at === here));
    const target = link(all[here]) ?? all[here];
    target.focus({ preventScroll: true });
    all[here].scrollIntoView({ block: "nearest" });
    say(`Row ${here + 1} of ${all.length}`);
  }

  function tick() {
    const box = rows()[here]?.querySelector("input.action-select");
    if (!box) return say("Go to a row first, with j.");
    box.click();
    say(box.checked ? "Ticked." : "No longer ticked.");
  }

  const token = () => document.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";

  // What was done on this list by key, newest last: where its undo is sent, and the row it was done to.
  const done = [];

  async function send(address, body) {
    try {
      const answer = await fetch(address, {
        method: "POST",
        headers: { Accept: "application/json", "X-CSRFToken": token() },
        body: new URLSearchParams(body),
      });
      if (answer.ok) return await answer.json();
      return { said: `It was not done (${answer.status}). Reload the page and try again.`, undo: "" };
    } catch {
      return { said: "It was not done: the server does not answer.", undo: "" };
    }
  }

  // Ticked rows go to the preview, as by mouse; a page's own button is pressed; the row under the cursor is done at
  // once, since u takes it back.
  async function act(verb) {
    const button = document.querySelector(`a[href$="/${verb}"], a[href$="/${verb}/"], a[hx-get$="/${verb}"]`);
    if (button) return button.click();
    const menu = document.querySelector('select[name="action"]');
    if (!menu || ![...menu.options].some((each) => each.value === `${verb}_selected`)) {
      return say(`Nothing can be ${verb === "verify" ? "verified" : "retired"} here.`);
    }
    if (document.querySelector("input.action-select:checked")) {
      menu.value = `${verb}_selected`;
      menu.dispatchEvent(new Event("change", { bubbles: true }));
      return menu.form.requestSubmit(menu.form.querySelector("button[name=index]"));
    }
    const row = rows()[here];
    const id = row?.querySelector("input.action-select")?.value;
    if (!id) return say("Go to a row first, with j.");
    if (row.classList.contains("desk-row-done")) return say("That was done already; u takes it back.");
    const { said, undo: address } = await send(new URL(`act/${verb}/`, location.href), { ids: id });
    if (address) {
      done.push({ address, row });
      row.classList.add("desk-row-done");
      if (rows()[here] === row && here + 1 < rows().length) go(here + 1);
    }
    say(address ? `${said} u takes it back.` : said);
  }

  async function undo() {
    const last = done.at(-1);
    if (last) {
      const { said } = await send(last.address, { why: "" });
      done.pop();
      last.row.classList.remove("desk-row-done");
      go(rows().indexOf(last.row));
      return say(said);
    }
    const form = document.querySelector('form[action$="/undo/"]');
    if (form) return form.requestSubmit();
    const button = document.querySelector('a[href$="/restore"], a[href$="/restore/"], a[hx-get$="/restore"]');
    if (button) return button.click();
    say("There is nothing to undo on this page.");
  }

  function help() {
    let dialog = document.getElementById("desk-keys");
    if (!dialog) {
      dialog = document.createElement("dialog");
      dialog.id = "desk-keys";
      dialog.className = "desk-keys";
      dialog.setAttribute("aria-labelledby", "desk-keys-title");
      const title = Object.assign(document.createElement("h2"), { id: "desk-keys-title", textContent: "By keyboard" });
      const list = document.createElement("dl");
      for (const [key, meaning] of HELP) {
        const term = document.createElement("dt");
        term.append(Object.assign(document.createElement("kbd"), { textContent: key }));
        list.append(term, Object.assign(document.createElement("dd"), { textContent: meaning }));
      }
      const close = Object.assign(document.createElement("button"), { className: "desk-button", textContent: "Close" });
      close.addEventListener("click", () => dialog.close());
      dialog.append(title, list, close);
      document.body.append(dialog);
    }
    if (dialog.open) dialog.close();
    else dialog.showModal();
  }

  const KEYS = {
    j: () => go(here + 1),
    k: () => go(here < 0 ? 0 : here - 1),
    x: tick,
    v: () => act("verify"),
    r: () => act("retire"),
    u: undo,
    "/": () => document.getElementById("searchbar")?.focus(),
    "?": help,
  };

  document.addEventListener("keydown", (event) => {
    const writes = event.target.closest("input:not([type=checkbox]), textarea, select, [contenteditable]");
    if (writes || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const open = document.querySelector("dialog[open]") ?? document.querySelector("#dialog");
    if (open?.checkVisibility() && event.key !== "?") return;
    const does = KEYS[event.key];
    if (!does || (event.repeat && !"jk".includes(event.key))) return;
    event.preventDefault();
    does();
  });

  document.addEventListener("DOMContentLoaded", region);
})();
