import { Random } from '@linewire/testkit';
import type { FrameContent, ValidationCase } from '../validation-sides.ts';

/** About as much a pass holds, or one frame. */
const passBytes = 1_000_000;

/** The lines of a pass with their newlines, `frameBytes` long or a little less; no two are alike. */
export function validationFrames({ content, frameBytes }: ValidationCase): Buffer[] {
  const random = new Random(frameBytes);
  const frameCount = Math.max(1, Math.round(passBytes / frameBytes));
  return Array.from({ length: frameCount }, (_, n) =>
    Buffer.from(`${line(content, n, frameBytes, random)}\n`),
  );
}

function line(content: FrameContent, id: number, frameBytes: number, random: Random): string {
  const [head, tail] = around(content, id);
  const room = Math.max(0, frameBytes - head.length - tail.length);
  return head + filled(content, room, random) + tail;
}

function around(content: FrameContent, id: number): readonly [head: string, tail: string] {
  const start = `{"jsonrpc":"2.0","id":${id},`;
  switch (content) {
    case 'call':
      return [`${start}"method":"tools/call","params":{"name":"echo","arguments":{"text":"`, '"}}}'];
    case 'records':
      return [`${start}"result":{"structuredContent":{"records":[null`, ']}}}'];
    default:
      return [`${start}"result":{"content":[{"type":"text","text":"`, '"}]}}'];
  }
}

/** Up to `room` bytes of content, whole pieces only. A block of pieces is repeated: drawing ten million would only cost time. */
function filled(content: FrameContent, room: number, random: Random): string {
  const pieces: string[] = [];
  let blockBytes = 0;
  while (blockBytes < Math.min(room, maxBlockBytes)) {
    const piece = makers[content](random);
    if (blockBytes + Buffer.byteLength(piece) > room) break;
    pieces.push(piece);
    blockBytes += Buffer.byteLength(piece);
  }
  return blockBytes === 0 ? '' : pieces.join('').repeat(Math.floor(room / blockBytes));
}

const maxBlockBytes = 16_384;
const words = 'the line of each frame goes to its reader with all that was sent'.split(' ');
const thaiWords = 'น้ำ ปลา ข้าว บ้าน ตลาด สวัสดี ขอบคุณ ทะเล ภูเขา หนังสือ และ ของ เป็น ไม่ ได้ ให้'.split(' ');

const makers: Readonly<Record<FrameContent, (random: Random) => string>> = {
  call: (random) => random.pick(words)[0] as string,
  // A newline escape every forty bytes or so, as files have that tools return.
  text: (random) => random.pick(words) + random.pick([' ', ' ', ' ', ' ', ' ', ' ', '.\\n', ' \\"']),
  base64: (random) =>
    Buffer.from([random.integer(0, 255), random.integer(0, 255), random.integer(0, 255)]).toString('base64'),
  Thai: (random) => random.pick(thaiWords) + random.pick(['', '', ' ']),
  records: (random) =>
    `,{"id":${random.integer(0, 99_999)},"name":"${random.pick(words)}","price":${random.integer(0, 9999) / 100},"tags":[1,true]}`,
};
