/** What the bare Worker is given for one request: the service's own answer, byte for byte. */
interface BareEnv {
  readonly STATUS: number;
  readonly HEADERS: Readonly<Record<string, string>>;
  readonly BODY: ArrayBuffer;
  /** Whether the request has a body, which costs something to receive. */
  readonly READS_BODY: boolean;
}

let answer: { readonly body: ArrayBuffer | null; readonly init: ResponseInit } | undefined;

/** The least that a Worker can do for such an answer: it reads the request's body, and parses nothing. */
export default {
  async fetch(request: Request, env: BareEnv): Promise<Response> {
    answer ??= {
      body: env.BODY.byteLength > 0 ? env.BODY : null,
      init: { status: env.STATUS, headers: { ...env.HEADERS } },
    };
    if (env.READS_BODY) await request.text();
    return new Response(answer.body, answer.init);
  },
};
