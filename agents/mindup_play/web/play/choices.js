"use strict";

// What the person has chosen for this computer: a cookie, which is the same for all ports.
const Choices = (() => {
  const PREFIX = "mindup-";

  function get(name) {
    const found = document.cookie.split("; ").find((each) => each.startsWith(`${PREFIX}${name}=`));
    return found?.slice(found.indexOf("=") + 1) ?? null;
  }

  function set(name, value) {
    document.cookie = `${PREFIX}${name}=${value}; path=/; max-age=31536000; samesite=strict`;
  }

  return { get, set };
})();
