/** The reader's locale as `Intl` accepts it. */
export const locale: string = validLocale(
  typeof navigator === "undefined" ? "en" : navigator.language,
);

// Libraries read it too and throw for POSIX locales such as `en-US@posix`.
if (typeof navigator !== "undefined" && navigator.language !== locale) {
  Object.defineProperty(navigator, "language", { value: locale, configurable: true });
}

function validLocale(language: string | undefined): string {
  for (const tag of [language, language?.split(/[@.]/)[0]?.replaceAll("_", "-")]) {
    try {
      if (tag && Intl.NumberFormat.supportedLocalesOf(tag).length > 0) return tag;
    } catch {} // not a language tag
  }
  return "en";
}
