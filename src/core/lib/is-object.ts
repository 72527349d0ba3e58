export { isObject, isOfType } from "@feature-flags/file/json";
