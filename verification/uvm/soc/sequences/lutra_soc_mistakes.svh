// Descriptors with one mistake each.

class lutra_soc_mistakes extends uvm_object;

  lutra_soc_maker maker;
  lutra_soc_message message;

  `uvm_object_utils(lutra_soc_mistakes)

  function new(string name = "mistakes");
    super.new(name);
  endfunction

  function bit has_key(wrong_e wrong);
    return wrong inside {WrongGeneration, WrongContext, WrongForeignKey, WrongClass};
  endfunction

  // The first operation after a random one with these properties; -1 without any.
  function int find(wrong_e wrong);
    int unsigned first = $urandom_range(maker.firmware.count - 1);
    for (int unsigned i = 0; i < maker.firmware.count; i++) begin
      int unsigned n = (first + i) % maker.firmware.count;
      operation_t o = maker.firmware.operation(n);
      bit fits = !maker.firmware.misbehaves[n] && !o.sets_key && !o.checks_tag;
      case (wrong)
        WrongAad: fits &= !o.takes_aad;
        WrongInlineAad, WrongAadAddress: fits &= o.takes_aad && !o.inline_key;
        WrongNoTag, WrongLongTag: fits &= o.makes_tag;
        WrongTag: fits &= !o.makes_tag;
        WrongGeneration, WrongContext, WrongForeignKey, WrongClass: fits &= o.uses_key && !o.inline_key;
        WrongBlocks: fits &= o.whole_blocks;
        WrongDestination, WrongListAlignment, WrongShortList, WrongEmptyElement, WrongElementFlags, WrongElementAddress:
          fits &= !o.mac && !o.whole_blocks && !o.inline_key;
        default: fits &= !o.inline_key && !o.whole_blocks;
      endcase
      if (fits) return n;
    end
    return -1;
  endfunction

  // null where the firmware has no such operation.
  function lutra_soc_message make(int unsigned ring, wrong_e wrong);
    int n = find(wrong);
    if (n < 0) return null;
    if (wrong inside {WrongForeignSet, WrongKeyOutside, WrongRawRing, WrongRawInline, WrongRawMemory}) return special(ring, wrong);
    message = null;
    for (int i = 0; i < 50 && message == null; i++) begin
      message = maker.ordinary(ring, n);
      // Something to be wrong about.
      if (message != null && wrong >= WrongSource && (message.inlined || message.length < 20)) message = null;
    end
    if (message == null) return null;
    message.wrong = wrong;
    message.kind = KindBad;
    break_it(wrong);
    return message;
  endfunction

  function lutra_soc_message special(int unsigned ring, wrong_e wrong);
    case (wrong)
      WrongForeignSet: begin
        // Not noted: it must not have an effect.
        lutra_soc_maker::context_t kept = maker.contexts[ring][0];
        message = maker.set_key(ring, 0, maker.pick_key_operation());
        maker.contexts[ring][0] = kept;
        message.context_ = 5'(lutra_soc_maker::PerRing * (1 - ring));
      end
      WrongKeyOutside: begin
        lutra_soc_maker::context_t kept = maker.contexts[ring][0];
        message = maker.set_key(ring, 0, maker.pick_key_operation());
        maker.contexts[ring][0] = kept;
        message.inlined = 1'b0;
        message.tail.delete();
      end
      default: begin
        message = maker.raw(wrong == WrongRawRing ? 1 : ring, $urandom_range(1) == 0, 5'd0, 16'd0, 32);
        if (message == null) return null;
        if (wrong == WrongRawInline) message.inlined = 1'b1;
        if (wrong == WrongRawMemory) message.tag = 5'd8 + 5'($urandom_range(23));
      end
    endcase
    message.wrong = wrong;
    message.kind = KindBad;
    return message;
  endfunction

  function void break_it(wrong_e wrong);
    axi_address_t outside = $urandom_range(1) == 0 ? ring_base(1 - message.ring) + AddressBits'(BuffersAt) : MemoryBase + 40'd64;
    case (wrong)
      WrongControlBit: message.control_bits = 4'd1 << $urandom_range(3);
      WrongExtraBit: message.extra_bits = 11'd1 << $urandom_range(10);
      WrongReserved: if (message.inlined) message.extra_bits = 11'd1; else message.reserved = 64'd1 << $urandom_range(63);
      WrongInlineList: {message.inlined, message.gather} = 2'b11;
      WrongInlineAad: begin
        message.inlined = 1'b1;
        message.gather = 1'b0;
        message.length = 8;
        message.aad = 16'd5;
      end
      WrongOperation: message.operation = $urandom_range(1) == 0 ? 8'(maker.firmware.count) : 8'($urandom_range(8'hef, 16));
      WrongInlineLength: begin
        message.inlined = 1'b1;
        message.gather = 1'b0;
        message.aad = '0;
        message.length = 25 + $urandom_range(100);
      end
      WrongAad: message.aad = 16'd1 + 16'($urandom_range(50));
      WrongNoTag: message.tag = '0;
      WrongTag: message.tag = 5'($urandom_range(16, 1));
      WrongLongTag: message.tag = 5'($urandom_range(31, 17));
      WrongGeneration: message.generation ^= 11'd1 << $urandom_range(10);
      WrongContext: message.context_ = 5'($urandom_range(31, 24));
      WrongForeignKey: begin
        message.context_ = 5'(lutra_soc_maker::PerRing * (1 - message.ring));
        message.generation = maker.contexts[1-message.ring][0].generation;
      end
      WrongClass: other_class();
      WrongBlocks: begin
        message.inlined = 1'b0;
        message.length += $urandom_range(15, 1);
      end
      default: break_place(wrong, outside);
    endcase
  endfunction

  // A key of the ring that is for others.
  function void other_class();
    for (int i = 0; i < int'(lutra_soc_maker::Contexts); i++)
      if (maker.contexts[message.ring][i].set &&
          maker.contexts[message.ring][i].class_ != maker.firmware.operation(int'(message.operation)).class_) begin
        message.context_ = 5'(lutra_soc_maker::PerRing * message.ring + i);
        message.generation = maker.contexts[message.ring][i].generation;
      end
  endfunction

  // Associated data, which are read before the text, stay what they are.
  function void forget_text();
    axi_range_t kept[$];
    foreach (message.sources[i])
      if (message.aad != '0 && 64'(message.sources[i].first) == message.aad_address) kept.push_back(message.sources[i]);
    message.sources = kept;
  endfunction

  // The strings are not known to the scoreboard any more: no access is right, but for what comes before the mistake.
  function void break_place(wrong_e wrong, axi_address_t outside);
    axi_address_t list;
    axi_range_t first;
    case (wrong)
      WrongSource: begin
        message.gather = 1'b0;
        message.source = 64'(outside);
        forget_text();
      end
      WrongDestination: begin
        message.scatter = 1'b0;
        message.destination = 64'(outside);
        message.destinations.delete();
      end
      WrongAadAddress: begin
        message.aad = 16'd20;
        message.aad_address = 64'(outside);
      end
      WrongHighAddress: begin
        message.gather = 1'b0;
        message.source[63:40] = 24'd1 << $urandom_range(23);
        forget_text();
      end
      default: begin
        // A list for the source, whose first element is right.
        message.gather = 1'b1;
        list = maker.take(message.ring, 2 * ElementSize, 16, 0);
        first = '{maker.take(message.ring, 16, 16, 3), 16};
        message.source = 64'(list);
        message.lists.push_back('{list, 2 * ElementSize});
        message.sources.push_back(first);
        maker.host.put_element(list, 64'(first.first), 16, 32'(wrong == WrongShortList));
        maker.host.put_element(list + AddressBits'(ElementSize),
                               wrong == WrongElementAddress ? 64'(outside) : 64'(first.first),
                               wrong == WrongEmptyElement ? 0 : 4000, wrong == WrongElementFlags ? 32'd5 : 32'd1);
        if (wrong == WrongListAlignment) message.source += 64'd8;
      end
    endcase
  endfunction

endclass
