/** The path of the OFREP stream, as bulk evaluations name it. */
const OFREP_STREAM_PATH = "/api/ofrep/v1/stream";

/** Returns the field `eventStreams` of a bulk evaluation, as JSON. */
export const eventStreamsJson = (token: string): string =>
  JSON.stringify([
    { type: "sse", endpoint: { requestUri: `${OFREP_STREAM_PATH}?token=${token}` } },
  ]);
