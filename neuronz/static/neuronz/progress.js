// A bar that follows work in the background: asks its address every second, and shows the page anew when it is over.
"use strict";

document.querySelectorAll("[data-progress]").forEach((box) => {
  const bar = box.querySelector("progress");
  const done = box.querySelector("[data-done]");
  let missed = 0;

  async function look() {
    try {
      const answer = await fetch(box.dataset.progress, { headers: { Accept: "application/json" } });
      const told = await answer.json();
      bar.value = told.percent;
      done.textContent = told.done;
      missed = 0;
      if (told.is_over) return location.reload();
    } catch {
      missed += 1;
    }
    if (missed < 30) setTimeout(look, 1000);
  }

  look();
});
