export { version as CLI_VERSION } from "../package.json";
