/** The tags of the demo's flags, and the context definitions that their constraints use. */

export const TAGS: readonly { readonly name: string; readonly color: string }[] = [
  { name: "checkout", color: "#1971c2" },
  { name: "frontend", color: "#7048e8" },
  { name: "growth", color: "#2f9e44" },
  { name: "logistics", color: "#e8590c" },
  { name: "mobile", color: "#c2255c" },
  { name: "payments", color: "#f08c00" },
  { name: "search", color: "#0c8599" },
];

export const CONTEXTS: readonly {
  readonly name: string;
  readonly contextKey: string;
  readonly contextType: string;
}[] = [
  { name: "User", contextKey: "userId", contextType: "string" },
  { name: "Country of delivery", contextKey: "country", contextType: "string" },
  { name: "E-mail address", contextKey: "email", contextType: "string" },
  { name: "Platform", contextKey: "platform", contextType: "string" },
  { name: "App version", contextKey: "appVersion", contextType: "semver" },
  { name: "Orders so far", contextKey: "orders", contextType: "number" },
  { name: "Beta tester", contextKey: "betaTester", contextType: "boolean" },
  { name: "Network address", contextKey: "ip", contextType: "ip" },
  { name: "Time of the visit", contextKey: "now", contextType: "date" },
];
