// How to play, in a few pages; learn.html has their texts, and pictures of cards.
import * as Cards from "./cards.js";
import { at, openDialog } from "./page.js";
import { choose } from "./settings.js";

const dialog = at("learn-dialog");
const pages = [...at("learn-pages").content.querySelectorAll("article")];
let deck = [];
let shown = 0;

function drawCards(page) {
  for (const place of page.querySelectorAll("[data-face]")) {
    const number = Number(place.dataset.face);
    const face = number ? Cards.card(deck, number, false) : Cards.back("a card, face down");
    face.classList.add(...place.classList);
    place.replaceWith(face);
  }
  return page;
}

function show(page) {
  shown = Math.min(Math.max(page, 0), pages.length - 1);
  at("learn-page").replaceChildren(drawCards(pages[shown].cloneNode(true)));
  at("learn-title").textContent = pages[shown].title;
  at("learn-place").textContent = `${shown + 1} of ${pages.length}`;
  at("learn-back").ariaDisabled = String(shown === 0);
  at("learn-next").textContent = shown === pages.length - 1 ? "To the table" : "Next";
}

at("learn-back").addEventListener("click", () => show(shown - 1));
at("learn-next").addEventListener("click", () => (
  shown === pages.length - 1 ? dialog.close() : show(shown + 1)));
dialog.addEventListener("keydown", ({ key }) => {
  if (key === "ArrowRight") show(shown + 1);
  if (key === "ArrowLeft") show(shown - 1);
});

export function open(ofDeck) {
  deck = ofDeck;
  choose("learned", "on");
  show(0);
  return openDialog(dialog);
}
