import { env } from "cloudflare:workers";
import { createBindingClient } from "@feature-flags/sdk/binding";

// All requests of an isolate share the client, and its rules.
const flags = createBindingClient({ binding: env.FLAGS, appName: "example-worker" });

export default {
  async fetch(request, _env, ctx): Promise<Response> {
    // Without rules, checks return their defaults. The client logs why it has none.
    await flags.ready(ctx).catch(() => {});
    const { searchParams } = new URL(request.url);
    const user = { targetingKey: searchParams.get("user") ?? "ann" };
    const isNew = flags.boolean("new-checkout", false, user);
    return new Response(isNew ? "New checkout" : "Old checkout");
  },
} satisfies ExportedHandler;
