// Rules for command lines of a shell that is not bash. Nothing parses such a line.
import { findCommandText, matchesCommandPattern } from '../shell/texts/command-pattern.js';

/** Characters with which a line may be more than one plain command with plain arguments. */
const MAY_BE_MORE = /[;|&$`(){}<>@\r\n]/;

/** Whether a rule allows a line: it is equal, or the rule has a wildcard and the line is one plain command. */
export function allowsScript(content: string, line: string): boolean {
  if (!content.includes('*')) return content === line.trim();
  return !MAY_BE_MORE.test(line) && matchesCommandPattern(content, line.trim());
}

/**
 * The part of a line that a rule denies or asks for, in any case; undefined without such a part. A part begins at any word,
 * and quotes and escapes within words do not hide it.
 */
export function findScriptPart(content: string, line: string): string | undefined {
  const spellings = [line, line.replace(/`\r?\n/g, ' '), line.replace(/[`'"]/g, '')];
  const parts = [...new Set(spellings)].flatMap((spelling) =>
    spelling
      .replace(/["']/g, ' ')
      .split(/[;|&$`(){}<>@\r\n]+/)
      .map((part) => part.trim().replace(/\s+/g, ' ').toLowerCase())
      .filter((part) => part !== ''),
  );
  const texts = [...new Set([line.trim().toLowerCase(), ...parts])].map((text) => ({
    text,
    starts: [0, ...[...text.matchAll(/ /g)].map(({ index }) => index + 1)],
  }));
  return findCommandText(content.toLowerCase(), texts);
}
