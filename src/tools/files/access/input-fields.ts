import { z } from 'zod';
import { findLoneSurrogate } from '../content/text-encoding.js';

const hasNoNul = (text: string): boolean => !text.includes('\0');
const isWellFormed = (text: string): boolean => findLoneSurrogate(text) < 0;

/** A path, absolute or relative to the agent's working folder; taken literally. */
export const FilePath = z
  .string()
  .min(1)
  .max(4_096)
  .refine(hasNoNul, 'must not contain a NUL character')
  .refine(isWellFormed, 'must not contain half of a character (a lone surrogate)');

/** A pattern that becomes an argument of a process. */
export const SearchPattern = z
  .string()
  .min(1)
  .max(10_000)
  .refine(hasNoNul, 'must not contain a NUL character');

/** How many of something: 0 or more. */
export const Count = z.int().nonnegative();
