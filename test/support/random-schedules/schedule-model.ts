import type { Model, ModelEvent, ModelRequest } from '../../../src/model/model.js';
import { createGate } from '../gate.js';

/** A reply that streams: the test says how far, and whether it breaks. */
export type OpenStream = {
  /** Number of its request. */
  readonly sequence: number;
  /** Send so many events more. */
  readonly advance: (events: number) => void;
  readonly fail: (error: Error) => void;
};

/** A model whose replies wait for the test. */
export function createScheduleModel({
  reply,
  onOpen,
  onClose,
}: {
  /** The events of the reply to a request. */
  readonly reply: (request: ModelRequest, sequence: number) => readonly ModelEvent[];
  readonly onOpen: (stream: OpenStream) => void;
  readonly onClose: (sequence: number) => void;
}): Model {
  let requests = 0;
  return {
    stream(request, { signal }) {
      const sequence = requests;
      requests += 1;
      const broken = createGate<Error>();
      const fail = broken.open;
      const events = reply(request, sequence);
      const gates = events.map(() => createGate());
      const shut = [...gates];
      const advance = (count: number): void => {
        for (const gate of shut.splice(0, count)) gate.open();
      };
      async function* send(): AsyncIterable<ModelEvent> {
        for (const [index, event] of events.entries()) {
          const error = await Promise.race([broken.opened, gates[index]?.opened]);
          if (error !== undefined) throw error;
          yield event;
        }
      }
      signal.addEventListener('abort', () => fail(signal.reason as Error));
      onOpen({ sequence, advance, fail });
      return Promise.resolve(closing(send(), () => onClose(sequence)));
    },
  };
}

async function* closing<T>(items: AsyncIterable<T>, close: () => void): AsyncIterable<T> {
  try {
    yield* items;
  } finally {
    close();
  }
}
