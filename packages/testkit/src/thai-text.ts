import type { Random } from './random.ts';

/** Every letter takes three bytes in UTF-8, vowel signs and tone marks too. */
const words = (
  'น้ำ ปลา ข้าว ไก่ บ้าน ช้าง ตลาด สวัสดี ขอบคุณ อาหาร รถไฟ ทะเล ภูเขา หนังสือ โรงเรียน เชียงใหม่ ' +
  'ที่ และ ของ เป็น ไม่ ได้ ให้ ว่า จะ มี ใน กับ แล้ว วันนี้ ความรัก ข้อมูล'
).split(' ');

/** Words with a space between them: a short argument. */
export function thaiWords(random: Random, wordCount: number): string {
  return Array.from({ length: wordCount }, () => random.pick(words)).join(' ');
}

const blockBytes = 16_384;

/**
 * Running text as Thai is written: no space between words, one between clauses, now and then a number or a new line.
 * One random block, repeated: drawing a million bytes would only cost time.
 */
export function thaiProse(random: Random, byteCount: number): string {
  let block = '';
  let blockLength = 0;
  while (blockLength < blockBytes) {
    const piece = random.pick(words) + wordEnd(random);
    block += piece;
    blockLength += Buffer.byteLength(piece);
  }
  return block.repeat(Math.round(byteCount / blockLength));
}

function wordEnd(random: Random): string {
  const dice = random.integer(0, 99);
  if (dice < 80) return '';
  if (dice < 96) return ' ';
  return dice < 98 ? ` ${random.integer(1, 2569)} ` : '\n';
}
