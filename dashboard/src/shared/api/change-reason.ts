import { headerText } from "@feature-flags/evaluation/header-text";

/** Returns the request header with the reason for a change; nothing for an empty reason. */
export const reasonHeader = (reason: string): { "X-Change-Reason"?: string } =>
  reason.trim() === "" ? {} : { "X-Change-Reason": headerText(reason.trim()) };
