import { DurableObject } from "cloudflare:workers";

/** A Worker with the bindings and classes of the service, and nothing else. */
export default {
  fetch: () => new Response(null, { status: 401 }),
  queue() {},
  scheduled() {},
};

export class MetricsObject extends DurableObject {}
export class PasswordHasherObject extends DurableObject {}
export class RefreshFamilyObject extends DurableObject {}
export class SchedulerObject extends DurableObject {}
export class StreamHubObject extends DurableObject {}
export class StreamLeafObject extends DurableObject {}
export class UsageObject extends DurableObject {}
