/**
 * The bindings of a bare Worker: the service's response to one request, which the bare Worker
 * returns byte for byte.
 */
interface BareEnv {
  readonly STATUS: number;
  readonly HEADERS: Readonly<Record<string, string>>;
  readonly BODY: ArrayBuffer;
  /**
   * Whether the request has a body, which the bare Worker then receives, because that takes time.
   */
  readonly READS_BODY: boolean;
}

let answer: { readonly body: ArrayBuffer | null; readonly init: ResponseInit } | undefined;

/**
 * The bare Worker. It does the minimum work for this response: it receives the request's body and
 * parses nothing.
 */
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
