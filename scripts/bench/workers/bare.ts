/** The service's response to one request, byte for byte, for the bare Worker to return. */
interface BareEnv {
  readonly STATUS: number;
  readonly HEADERS: Readonly<Record<string, string>>;
  readonly BODY: ArrayBuffer;
  /** Whether the request has a body. Receiving a body takes time. */
  readonly READS_BODY: boolean;
}

let answer: { readonly body: ArrayBuffer | null; readonly init: ResponseInit } | undefined;

/** The minimum work of a Worker for this response: it reads the request's body and parses nothing. */
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
