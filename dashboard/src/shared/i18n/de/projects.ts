import type { Translated } from "../translated.ts";
import type { projects as english } from "../en/projects.ts";
export const projects = {} satisfies Translated<typeof english>;
