import type { ShellWord } from './shell-token.js';

/**
 * Whether a word may expand to no word at all: it holds nothing but unquoted expansions. Quotes behind an expansion may
 * belong to it, so only quotes at the beginning count.
 */
export function mayVanish({ bare, raw, text }: ShellWord): boolean {
  if (bare === '') return !/^\$?"/.test(raw) || /[@*]/.test(text);
  return /^(?:\{,+\})+$/.test(text);
}
