// Where things are in memory: each ring has a part, which is its window.

localparam int unsigned Rings = CapableRings;
localparam axi_address_t MemoryBase = 40'h12_0000_0000;
localparam int unsigned RingBytes = 32'h2_0000;
localparam int unsigned MemoryBytes = (Rings + 1) * RingBytes;  // the first part belongs to nobody
localparam int unsigned CompletionsAt = 32'h1000;
localparam int unsigned BuffersAt = 32'h2000;

function automatic axi_address_t ring_base(int unsigned ring);
  return MemoryBase + AddressBits'((ring + 1) * RingBytes);
endfunction

// Kinds of messages, for coverage.
typedef enum int {
  KindCrypt, KindOnce, KindMac, KindSeal, KindOpen, KindSetKey, KindDropKey, KindWrite, KindRead, KindRun, KindBad
} kind_e;

// What is wrong with a descriptor.
typedef enum int {
  WrongNothing, WrongControlBit, WrongExtraBit, WrongReserved, WrongInlineList, WrongInlineAad, WrongKeyOutside,
  WrongOperation, WrongInlineLength, WrongAad, WrongNoTag, WrongTag, WrongLongTag, WrongGeneration, WrongContext,
  WrongForeignKey, WrongForeignSet, WrongClass, WrongSource, WrongDestination, WrongAadAddress, WrongHighAddress,
  WrongListAlignment, WrongShortList, WrongEmptyElement, WrongElementFlags, WrongElementAddress, WrongRawRing,
  WrongRawInline, WrongRawMemory, WrongBlocks
} wrong_e;

// Why the ring of a batch stops or where the bus refuses.
typedef enum int {RefuseNothing, RefuseDescriptor, RefuseCompletion, RefuseSource, RefuseList, RefuseDestination} refuse_e;

// What a device is doing, by what is outstanding on its port: of several the last one of the list.
typedef enum int {DoesNothing, DoesFetch, DoesRead, DoesCompute, DoesWrite, DoesComplete} activity_e;
