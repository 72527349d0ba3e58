/**
 * Whether the counter of a passkey has not grown since its last use (Web Authentication, section
 * 6.1.1). Then somebody may use a copy of the passkey. Authenticators that do not count always send 0,
 * as those do that keep a passkey on several devices.
 */
export const isCounterRegression = (stored: number, sent: number): boolean =>
  (stored > 0 || sent > 0) && sent <= stored;
