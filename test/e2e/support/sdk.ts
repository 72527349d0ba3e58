import { baseUrl, type Schemas } from "./api.ts";

/** What an SDK gets that polls with this key, and has the rules of that entity tag. */
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
