import type { ShellWord } from './shell-token.js';

/** Whether a word may come to be no word at all: it is made of expansions that no quotes keep. */
export function mayVanish({ bare, raw, text }: ShellWord): boolean {
  if (bare === '') return !raw.includes('"') || /[@*]/.test(text);
  return /^(?:\{,+\})+$/.test(text);
}
