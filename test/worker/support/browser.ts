import { type Answer, call, type CallOptions, type Json } from "./client.ts";
import { callWith } from "./call-with.ts";
import type { FakeIdp } from "./fake-idp.ts";

const PATH = "/api/v1/auth/sign-on";

/** A browser with cookies, which signs in at identity providers. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #replaced: Partial<Env>;

  constructor(replaced: Partial<Env> = {}) {
    this.#replaced = replaced;
  }

  async #call(method: string, path: string, options: CallOptions = {}): Promise<Answer<Json>> {
    const Cookie = Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...options.headers, ...(Cookie !== "" && { Cookie }) };
    const replaces = Object.keys(this.#replaced).length > 0;
    const answer = replaces
      ? await callWith(this.#replaced, method, path, { ...options, headers })
      : await call(method, path, { ...options, headers });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return answer;
  }

  begin(slug: string, body: object = {}, token?: string): Promise<Answer<Json>> {
    return this.#call("POST", `${PATH}/${slug}`, { body, token });
  }

  /** Follows the redirect of the provider. Returns the path to which the callback leads. */
  async back(slug: string, query: string): Promise<string> {
    const answer = await this.#call("GET", `${PATH}/${slug}/callback${query}`);
    if (answer.status !== 302) throw new Error(`callback: ${answer.status}`);
    return answer.headers.get("Location") ?? "";
  }

  complete(): Promise<Answer<Json>> {
    return this.#call("POST", `${PATH}/complete`, { body: {} });
  }

  /** Signs in at the provider, up to the callback. Returns the path to which the callback leads. */
  async signOn(
    slug: string,
    idp: Pick<FakeIdp, "authorize">,
    body: object = {},
    token?: string,
  ): Promise<string> {
    const begun = await this.begin(slug, body, token);
    if (begun.status !== 200) throw new Error(`begin: ${JSON.stringify(begun.body)}`);
    return this.back(slug, idp.authorize(begun.body.url));
  }
}
