// Answers by their digit: 1 older, 2 newer, 3 none, 4 a correction, 5 both. Never while something is typed or held.
"use strict";

document.addEventListener("keydown", (event) => {
  const writes = event.target.closest("input, textarea, select, [contenteditable]");
  if (writes || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  const button = document.querySelector(`[data-keys] [data-key="${CSS.escape(event.key)}"]`);
  if (!button) return;
  event.preventDefault();
  // A correction wants its words first.
  const field = document.getElementById(button.dataset.focus ?? "");
  if (field && !field.value.trim()) field.focus();
  else button.click();
});
