// Runs before the first paint: sets the theme of this browser, whether somebody is signed in, and
// whether the navigation is collapsed, so that the placeholder in index.html looks like the page that
// follows. The content security policy forbids inline scripts, so this is a file.
(() => {
  const root = document.documentElement;
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };
  const chosen = read("mantine-color-scheme-value");
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  root.dataset.mantineColorScheme = chosen === "light" || chosen === "dark" ? chosen : system;
  const isMailLink = /^\/(?:accept-invite|reset-password)$/.test(location.pathname);
  if (!isMailLink && read("feature-flags.session")?.includes("accessToken"))
    root.dataset.signedIn = "";
  if (read("feature-flags.navigation") === "collapsed") root.dataset.collapsed = "";
})();
