import { parseText } from "../../shared/parse-search-params.ts";
import {
  type ProviderOutcome,
  validateProviderOutcome,
} from "../../shared/session/provider-outcome.ts";

export interface DeviceSearch extends ProviderOutcome {
  /** The code that the device shows, if the user has opened the address that contains it. */
  code?: string | undefined;
}

export const validateDeviceSearch = (raw: Record<string, unknown>): DeviceSearch => ({
  ...validateProviderOutcome(raw),
  code: parseText(raw["code"]),
});
