import type { ShellWord } from './shell-token.js';

/**
 * Whether a word may come to be no word at all: it is made of expansions that no quotes keep. Quotes behind an expansion
 * may be its own, so only those at the beginning count.
 */
export function mayVanish({ bare, raw, text }: ShellWord): boolean {
  if (bare === '') return !/^\$?"/.test(raw) || /[@*]/.test(text);
  return /^(?:\{,+\})+$/.test(text);
}
