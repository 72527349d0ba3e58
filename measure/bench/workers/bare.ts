/**
 * The bindings of a bare Worker: the service's response to one request, which the bare Worker
 * returns byte for byte.
 */
interface BareEnv {
  readonly STATUS: number;
  readonly HEADERS: Readonly<Record<string, string>>;
  readonly BODY: ArrayBuffer;
  /**
   * Whether the request has a body. If so, the bare Worker reads the body, because the service also
   * spends time on reading.
   */
  readonly READS_BODY: boolean;
}

let answer: { readonly body: ArrayBuffer | null; readonly init: ResponseInit } | undefined;

/**
 * The bare Worker. It does only the minimum work for a response: it reads the request's body, if
 * any, but parses nothing.
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
