import { Failure } from "./failure.ts";

const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/**
 * Returns the address of a service in one form, without a slash at its end, so that two addresses of
 * the same service are equal texts. Throws: a Failure for a text that is no address, for an address
 * with a user name, and for `http:` to another machine, because the token would be readable on the
 * way.
 */
export function serviceUrl(text: string, source: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol))
    throw new Failure("usage", `${source} is not an address: ${text}`, {
      remedy: "Give an address such as https://flags.example.com.",
    });
  if (url.username !== "" || url.password !== "")
    throw new Failure("usage", `${source} contains a user name or a password`, {
      remedy: "Remove it from the address. The service takes a token instead.",
    });
  if (url.protocol === "http:" && !LOOPBACK.has(url.hostname))
    throw new Failure("usage", `${source} sends the token without encryption: ${text}`, {
      remedy: "Use https://. Only this machine may be reached with http://.",
    });
  return `${url.origin}${url.pathname}`.replace(/\/+$/, "");
}
