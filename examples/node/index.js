import process from "node:process";
import { createClient } from "@feature-flags/sdk";

const flags = createClient({
  url: process.env.FLAGS_URL ?? "http://localhost:8787",
  key: process.env.FLAGS_SERVER_KEY ?? "",
  appName: "example-node",
});
await flags.ready();

const user = { targetingKey: "ann", country: "DE" };
const { value, reason } = flags.details("new-checkout", false, user);
console.log(`new-checkout is ${value ? "on" : "off"} for ann (${reason})`);

await flags.close();
