import { switchLanguage } from "../i18n/i18n.ts";
import { type Language, languageOf } from "../i18n/language.ts";
import { useNotify } from "../ui/use-notify.tsx";
import { useCurrentSession } from "./current-session.tsx";
import { useChangeProfile } from "./use-change-profile.ts";

/**
 * Returns a function that switches the language of the dashboard and then saves it in the user's
 * account. If saving fails, the function switches back and shows the error.
 */
export function useChangeLanguage(): (language: Language) => Promise<void> {
  const { failed } = useNotify();
  const { user } = useCurrentSession();
  const { mutateAsync } = useChangeProfile();
  return async (language) => {
    await switchLanguage(language);
    try {
      await mutateAsync({ locale: language });
    } catch (error) {
      await switchLanguage(languageOf(user.locale));
      failed(error);
    }
  };
}
