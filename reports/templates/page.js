"use strict";
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const cards = all("details.card");
  const controls = document.querySelector(".controls");
  const say = (text) => { document.getElementById("said").textContent = text; };

  // ---- search and filters ----

  const texts = new Map(cards.map((card) => [card, card.textContent.toLowerCase()]));
  const filters = all("[data-filter]");
  const show = () => {
    const words = document.getElementById("search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (card) => filters.every((one) => !one.value || card.dataset[one.dataset.filter] === one.value) &&
      words.every((word) => texts.get(card).includes(word));
    let count = 0;
    for (const card of cards) {
      const isShown = fits(card);
      card.classList.toggle("off", !isShown);
      count += isShown;
    }
    for (const group of all(".group")) group.classList.toggle("off", !group.querySelector("details.card:not(.off)"));
    document.getElementById("shown").textContent = `${count} of ${cards.length}`;
    document.getElementById("nothing").hidden = count > 0;
  };
  const unfold = document.getElementById("unfold");
  if (controls) {
    controls.hidden = false;
    controls.addEventListener("submit", (event) => event.preventDefault());
    controls.addEventListener("input", show);
    controls.addEventListener("reset", () => setTimeout(show));
    unfold.addEventListener("click", () => {
      const isOpening = unfold.textContent === "Expand all";
      for (const card of cards) card.open = isOpening;
      unfold.textContent = isOpening ? "Collapse all" : "Expand all";
    });
  }

  // ---- copy ----

  // A page from disk may have no clipboard interface; the old command works there, and a selection always does.
  const copyBySelection = (block) => {
    const range = document.createRange();
    range.selectNodeContents(block);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
    return document.execCommand("copy");
  };
  const copy = async (block) => {
    try {
      await navigator.clipboard.writeText(block.textContent);
      return true;
    } catch {
      return copyBySelection(block);
    }
  };
  for (const button of all("button.copy")) {
    button.addEventListener("click", async () => {
      const isCopied = await copy(button.parentNode.querySelector("pre"));
      button.textContent = isCopied ? "Copied" : "Press Ctrl+C";
      say(isCopied ? "Copied to the clipboard" : "The text is selected; press Ctrl+C to copy it");
      setTimeout(() => { button.textContent = "Copy"; }, 2000);
    });
  }

  // ---- links to a cause, and paper ----

  const openLinked = () => {
    const linked = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (linked instanceof HTMLDetailsElement) linked.open = true;
  };
  addEventListener("hashchange", openLinked);
  openLinked();

  let closed = [];
  addEventListener("beforeprint", () => {
    closed = all("details:not([open])");
    for (const one of closed) one.open = true;
  });
  addEventListener("afterprint", () => {
    for (const one of closed) one.open = false;
    closed = [];
  });
})();
