import type { Translated } from "../translated.ts";
import type { integrations as english } from "../en/integrations.ts";
export const integrations = {} satisfies Translated<typeof english>;
