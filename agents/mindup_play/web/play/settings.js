"use strict";

// What the person sets for all games, each kept for this computer by the script that reads it.
const Settings = (() => {
  const at = (id) => document.getElementById(id);
  const dialog = at("settings-dialog");

  function start() {
    Speed.start(at("speed"));
    Keys.start(at("single-keys"));
    Guide.start(at("guide"));
    Hints.start(at("always-hints"));
  }

  // Resolves when the dialog is closed.
  function open() {
    at("reduced-motion").hidden = !Animations.reduced();
    return Dialogs.open(dialog);
  }

  return { start, open };
})();
