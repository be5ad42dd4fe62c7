/** The types of highlight.js without those of browsers, which its own bring into every file. */
export type LanguageFn = (hljs?: unknown) => object;
