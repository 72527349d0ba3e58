import { baseUrl, type Schemas } from "./api.ts";

/**
 * Polls the rules as an SDK with this API key does. `etag` is the ETag of the previous response.
 */
export async function poll(key: Schemas["CreatedApiKey"], etag?: string) {
  const response = await fetch(`${baseUrl()}/api/client/features`, {
    headers: {
      Authorization: `Bearer ${key.apiKey}`,
      ...(etag !== undefined && { "If-None-Match": etag }),
    },
  });
  const text = await response.text();
  return {
    status: response.status,
    etag: response.headers.get("ETag") ?? "",
    rules: (text === "" ? [] : JSON.parse(text)) as Schemas["ClientRule"][],
  };
}
