import { describe, expect, it } from 'vitest';
import type { HookInput, InputOf } from '../../src/extensions/hooks/hook-inputs.js';
import { HOOK_EVENT_TEXTS } from '../../src/settings/schema/hook-event-texts.js';
import { factsOfEvent, HOOK_EVENTS } from '../../src/settings/schema/hook-events.js';
import { readText } from './pages.js';

/** The texts name only fields that the input of its event has. */
const texts: {
  readonly [Event in HookInput['hook_event_name']]: {
    readonly fields?: readonly (keyof InputOf<Event>)[];
    readonly blocks?: string;
    readonly stops?: string;
  };
} = HOOK_EVENT_TEXTS;

describe('the page of hook events', () => {
  it('names a test of the command for each event', () => {
    const page = readText('docs/reference/hooks.md');
    const sections = page.split('\n## ').slice(1);
    expect(
      sections.map((section) => [
        section.split('\n')[0],
        /\| test +\| \[[\w-]+\.test\.ts\]\(\.\.\/\.\.\/test\/e2e\/.*: \w/.test(section),
      ]),
    ).toEqual(HOOK_EVENTS.map((event) => [event, true]));
  });

  it('has an effect of blocks and stops exactly for the events that have one', () => {
    expect(
      HOOK_EVENTS.map((event) => [
        event,
        texts[event].blocks !== undefined,
        texts[event].stops !== undefined,
      ]),
    ).toEqual(
      HOOK_EVENTS.map((event) => {
        const { blocks = false, stops = false } = factsOfEvent(event);
        return [event, blocks, stops];
      }),
    );
  });
});
