export { isObject } from "@feature-flags/file/json";
