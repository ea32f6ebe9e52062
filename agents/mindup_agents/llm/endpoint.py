"""The address and the key of a server of language models, from the environment."""

import os
from dataclasses import dataclass, field
from typing import Self
from urllib.parse import urlsplit

URL, KEY = "OPENAI_BASE_URL", "OPENAI_API_KEY"
_OPENAI = "https://api.openai.com/v1"
_HIDDEN = "(hidden key)"


@dataclass(frozen=True)
class Endpoint:
    """Where requests are sent.

    Attributes:
        host: the host and the port, for messages.
        address: the address of chat completions.
        key: the key, which no message, file or error may show.
    """

    host: str
    address: str
    key: str = field(repr=False)

    @classmethod
    def from_environment(cls) -> Self:
        """The endpoint of the environment: by default that of OpenAI, which needs a key.

        No error shows a value: it could be, or contain, a key.
        """
        address = os.environ.get(URL, "").strip() or _OPENAI
        key = os.environ.get(KEY, "").strip()
        if not key and address == _OPENAI:
            raise ValueError(
                f"language models need {KEY} in the environment, or {URL} for a server without keys"
            )
        if not (key.isascii() and all(each.isprintable() and each != " " for each in key)):
            raise ValueError(f"{KEY} has a character that no key has: check how it was copied")
        try:
            parts = urlsplit(address)
            host, port = parts.hostname, parts.port
        except ValueError:
            parts, host, port = urlsplit(""), None, None
        plain = not (parts.username or parts.password or parts.query or parts.fragment)
        if parts.scheme not in ("http", "https") or not host or not plain:
            raise ValueError(
                f"{URL} must be an address such as http://127.0.0.1:8000/v1, without a user name, "
                "a password or anything after ? or #"
            )
        return cls(
            f"{host}:{port}" if port else host, f"{address.rstrip('/')}/chat/completions", key
        )

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}

    def hide_key(self, text: str) -> str:
        """The text without the key: a server may repeat the request in its answer."""
        return text.replace(self.key, _HIDDEN) if self.key else text
