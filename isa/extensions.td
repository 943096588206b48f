//===- extensions.td - the parts that a core can be made without --------------===//
//
// Every instruction belongs to an extension, a register that only some instructions need too; `let Extension` in
// lutra.td or around a record says to which. What has no encoding of its own follows: a function of a block belongs to
// the extensions of the instructions whose path names it. A configuration (isa/configurations/) names the extensions
// that a core has; of the others nothing is left but the names.

class Extension<string name, string text, list<string> needs = []> {
  string Name = name;
  string Text = text;
  list<string> Needs = needs; // extensions without which a core cannot have it
}
def BaseExtension     : Extension<"base", "control, addresses, moves, logic: in every core">;
def CloseExtension    : Extension<"close", "data memories and tables that the host does not see until the program opens them">;
def CounterExtension  : Extension<"counter", "ctr, and ctr++ with a width">;
def PermuteExtension  : Extension<"permute", "bytes by a control vector, alignment, broadcast">;
def RotateExtension   : Extension<"rotate", "rotation and shifts of lanes of 8 to 128 bits by any number of bits">;
def WordsExtension    : Extension<"words", "addition and subtraction of lanes of 8 to 128 bits">;
def ArxExtension      : Extension<"arx", "addition, rotation and XOR of 32-bit lanes in one instruction, rotation by a vector; logic of three registers">;
def FieldsExtension   : Extension<"fields", "multiplication and division by u in binary fields of 8 to 128 bits, modulo any polynomial">;
def TablesExtension   : Extension<"tables", "look-ups of any cipher in the table banks">;
def WordTablesExtension : Extension<"wordtables", "look-up of a word in four tables of words, whose results are added by XOR">;
def ScatterExtension  : Extension<"scatter", "an entry of each lane's table written where a vector says">;
def AesExtension      : Extension<"aes", "AES (FIPS 197)">;
def AriaExtension     : Extension<"aria", "ARIA (RFC 5794)">;
def CamelliaExtension : Extension<"camellia", "Camellia (RFC 3713), and the move aside that its two-block code needs">;
def StreamExtension   : Extension<"stream", "contexts of the stream unit: load and save">;
def Snow3gExtension   : Extension<"snow3g", "SNOW 3G (TS 35.216), and SNOW 2.0">;
def ZucExtension      : Extension<"zuc", "ZUC (TS 35.222), and ZUC-256">;
def CrcExtension      : Extension<"crc", "CRC by slicing">;
def CmacExtension     : Extension<"cmac", "doubling in GF(2^128), for CMAC's subkeys">;
def GhashExtension    : Extension<"ghash", "multiplication in GF(2^128) and GF(2^64), for GCM, 128-EIA1 and 128-EIA3">;
def MultiplierExtension : Extension<"multiplier", "multiplication modulo 2^130-5, for Poly1305, in the registers of ghash", ["ghash"]>;
