import { buildPages } from "./lib/pages.ts";

console.log(`${await buildPages()} is ready: npx wrangler pages deploy --cwd pages`);
