/** Whether that time, ISO 8601, is over. */
export const isPast = (deadline: string): boolean => Date.parse(deadline) <= Date.now();
