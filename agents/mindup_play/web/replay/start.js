"use strict";

// The page of a file: its data is in the element #data.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  Replay.start(data);
  if (data.review) Review.start(data);
})();
