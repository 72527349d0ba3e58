const KEY = "feature-flags.shortcuts";

/** Whether shortcuts of one key are on in this browser. */
export const areShortcutsOn = (): boolean => localStorage.getItem(KEY) !== "off";

export const storeShortcutsOn = (isOn: boolean): void =>
  localStorage.setItem(KEY, isOn ? "on" : "off");
