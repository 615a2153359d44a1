// An act upon many rows, some at a time, with a bar that shows how far it is. Without this script the same form sends
// all at once. Each part is part of one act, so one undo takes all of it back.
"use strict";

document.querySelectorAll("form[data-parts]").forEach((form) => {
  const AT_ONCE = 25;
  const bar = form.querySelector("progress");
  const said = form.querySelector("[data-said]");
  const ids = form.elements.ids.value.split(",").filter(Boolean);
  if (ids.length <= AT_ONCE) return;

  async function part(some) {
    const sent = new FormData(form);
    sent.set("ids", some.join(","));
    const answer = await fetch(form.action, {
      method: "POST", headers: { Accept: "application/json" }, body: new URLSearchParams(sent),
    });
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.json();
  }

  function whole(receipts) {
    const parts = receipts.map((each) => each.split("."));
    const first = Math.min(...parts.map((each) => Number(each[1])));
    const last = Math.max(...parts.map((each) => Number(each[2])));
    return `${parts[0][0]}.${first}.${last}`;
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    form.querySelectorAll("button, a.desk-button").forEach((each) => each.setAttribute("hidden", ""));
    bar.closest("[hidden]")?.removeAttribute("hidden");
    const receipts = [];
    let at = 0;
    try {
      for (; at < ids.length; at += AT_ONCE) {
        const told = await part(ids.slice(at, at + AT_ONCE));
        if (told.receipt) receipts.push(told.receipt);
        bar.value = Math.min(ids.length, at + AT_ONCE);
        said.textContent = `${bar.value} of ${ids.length}`;
      }
    } catch {
      said.textContent = `It stopped after ${at} of ${ids.length}: the server does not answer. What was done can be undone.`;
      if (!receipts.length) return;
    }
    location.href = receipts.length ? form.dataset.done.replace("RECEIPT", whole(receipts)) : form.dataset.parts;
  });
});
