/** The texts of the page about what the service costs. */
export const costs = {
  title: "What this costs",
  description:
    "What this service has used of Cloudflare's platform, by its own counters, against what the Workers Paid plan includes a month.",
  total: "Estimate for the last {{days}} days, in US$",
  parts: "{{plan}} for the plan, {{beyond}} beyond the included amounts.",
  readAt: "Counted",
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
  note: "Cloudflare's bill is what counts. It also has CPU time, storage, logs and the time of Durable Objects, and all Workers of the account share the included amounts. <prices>Cloudflare's prices</prices>. The <model>model of scale and cost</model> computes what the service costs for a number of SDK instances.",
  off: "Nothing is counted",
  offText:
    "METRICS_FLUSH_SECONDS is 0, so the service keeps no metrics. Set it to 5, and this page shows what was used since then.",
} as const;
