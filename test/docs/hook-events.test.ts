import { describe, expect, it } from 'vitest';
import type { HookInput, InputOf } from '../../src/extensions/hooks/hook-inputs.js';
import { HOOK_EVENT_FACTS } from '../../src/settings/hook-events.js';
import { readText } from './pages.js';

/** The table of facts names only fields that the input of its event has. */
const facts: {
  readonly [Event in HookInput['hook_event_name']]: {
    readonly matches?: keyof InputOf<Event>;
    readonly fields?: readonly (keyof InputOf<Event>)[];
  };
} = HOOK_EVENT_FACTS;

describe('the page of hook events', () => {
  it('names a test of the command for each event', () => {
    const page = readText('docs/reference/hooks.md');
    const sections = page.split('\n## ').slice(1);
    expect(
      sections.map((section) => [
        section.split('\n')[0],
        /\| test +\| \[[\w-]+\.test\.ts\]\(\.\.\/\.\.\/test\/e2e\/.*: \w/.test(section),
      ]),
    ).toEqual(Object.keys(facts).map((event) => [event, true]));
  });
});
