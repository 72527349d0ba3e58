/** The texts of the page about what the service costs. */
export const costs = {
  title: "Costs",
  description:
    "Usage of Cloudflare's platform as counted by this service, compared with the monthly amounts included in Workers Paid.",
  total: "Estimate for the last {{days}} days, in US$",
  parts: "{{plan}} for the plan, {{beyond}} for usage beyond the included amounts.",
  readAt: "Updated",
  counters: "Used and included amounts",
  names: {
    workerRequests: "Worker requests",
    d1RowsRead: "Database rows read",
    d1RowsWritten: "Database rows written",
    kvReads: "KV reads",
    kvWrites: "KV writes",
    kvDeletes: "KV deletes",
    queueOperations: "Queue operations",
    objectRequests: "Durable Object requests",
    objectRowsWritten: "Durable Object rows written",
  },
  used: {
    requests: "{{amount}} of {{included}} included requests ({{share}})",
    rows: "{{amount}} of {{included}} included rows ({{share}})",
    keys: "{{amount}} of {{included}} included keys ({{share}})",
    operations: "{{amount}} of {{included}} included operations ({{share}})",
  },
  price: "{{usd}} for each further {{unit}}",
  since: "counted since {{date}}",
  note: "Only Cloudflare's bill is exact. It also includes CPU time, storage, logs and Durable Object duration, and all Workers of the account share the included amounts. See <prices>Cloudflare's prices</prices>. The <model>model of scale and cost</model> estimates the costs for a number of SDK instances.",
  off: "Metrics are off",
  offText:
    "METRICS_FLUSH_SECONDS is 0, so the service keeps no metrics. Set it to 5 to count usage from then on.",
} as const;
