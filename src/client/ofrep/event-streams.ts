/** The path of the OFREP event stream, as responses to bulk evaluations contain it. */
const OFREP_STREAM_PATH = "/api/ofrep/v1/stream";

/** Returns the field `eventStreams` of a bulk evaluation, as JSON. */
export const eventStreamsJson = (token: string): string =>
  JSON.stringify([
    { type: "sse", endpoint: { requestUri: `${OFREP_STREAM_PATH}?token=${token}` } },
  ]);
