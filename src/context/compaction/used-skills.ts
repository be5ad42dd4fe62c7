import type { Message, UserBlock } from '../../core/messages.js';
import { frame } from '../../core/text/frame.js';
import { firstChars } from '../../core/text/first-chars.js';

/** The text of a skill that an agent has used. */
export type UsedSkill = { readonly name: string; readonly text: string };

/** Most characters of one text after a summary, and of all: 5,000 and 25,000 tokens, as published. */
const MOST_OF_ONE = 20_000;
const MOST_OF_ALL = 100_000;
const INTRODUCTION =
  'Skills that were used before the summary, with their texts, which still hold:';

/** The beginning of the result of the tool `Skill` whose text follows. */
const LOADED = /^The skill (\S+) is loaded\. Its text follows\.$/;

/**
 * Find the texts of the skills that a conversation has: those that the model loaded, those that a person typed, and
 * those after an earlier summary. Each skill once, with its newest text; the newest skill comes last.
 */
export function findUsedSkills(messages: readonly Message[]): readonly UsedSkill[] {
  const found = new Map<string, string>();
  for (const { role, content } of messages) {
    if (role !== 'user') continue;
    for (const { name, text } of [...fromSummary(content), ...loaded(content), ...typed(content)]) {
      found.delete(name);
      found.set(name, text);
    }
  }
  return [...found].map(([name, text]) => ({ name, text }));
}

/** The texts as one text behind a summary, the newest ones if there is no room for all; empty without any. */
export function describeUsedSkills(skills: readonly UsedSkill[], maxChars: number): string {
  const most = Math.min(MOST_OF_ALL, maxChars);
  const frames: string[] = [];
  let used = 0;
  for (const { name, text } of skills.toReversed()) {
    const cut = text.length > MOST_OF_ONE ? `${firstChars(text, MOST_OF_ONE)}\n[… cut]` : text;
    used += cut.length;
    if (used > most) break;
    frames.unshift(frame('skill', { name }, cut));
  }
  return frames.length === 0 ? '' : [INTRODUCTION, ...frames].join('\n');
}

/** The texts behind results of the tool `Skill`, in their order. */
function loaded(content: readonly UserBlock[]): readonly UsedSkill[] {
  const names = content.flatMap((block) =>
    block.type === 'tool_result' && typeof block.content === 'string'
      ? (LOADED.exec(block.content)?.[1] ?? [])
      : [],
  );
  return pair(names, textsOf(content));
}

/** The texts behind the line of a person, `/one /two arguments`. */
function typed(content: readonly UserBlock[]): readonly UsedSkill[] {
  const texts = textsOf(content);
  return texts.flatMap((line, at) => {
    const [names = ''] = /^(?:\/\S+\s*)+/.exec(line) ?? [];
    const words = names.split(/\s+/).filter((word) => word !== '');
    return pair(
      words.map((word) => word.slice(1)),
      texts.slice(at + 1),
    );
  });
}

function fromSummary(content: readonly UserBlock[]): readonly UsedSkill[] {
  return textsOf(content)
    .filter((text) => text.startsWith(INTRODUCTION))
    .flatMap((text) => [...text.matchAll(/<skill name=("[^\n]*")>\n([^]*?)\n<\/skill>/g)])
    .map(([, name = '""', text = '']) => ({ name: JSON.parse(name) as string, text })); // `frame` wrote it
}

function textsOf(content: readonly UserBlock[]): readonly string[] {
  return content.flatMap((block) =>
    block.type === 'text' && !block.text.startsWith('<') ? block.text : [],
  );
}

function pair(names: readonly string[], texts: readonly string[]): readonly UsedSkill[] {
  return names.flatMap((name, at) => {
    const text = texts[at];
    return text === undefined ? [] : { name, text };
  });
}
