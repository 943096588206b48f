// The port in one clock cycle.

class lutra_host_observation extends uvm_sequence_item;

  longint unsigned clock;  // number of the cycle
  bit in_reset;
  host_request_t request;
  host_reply_t reply;
  host_status_t status;

  `uvm_object_utils(lutra_host_observation)

  function new(string name = "lutra_host_observation");
    super.new(name);
  endfunction

  function bit running();
    return status.state == StateRunning;
  endfunction

  function bit starts();
    return request.start && !in_reset && !wipes() && !running() && status.state != StateWiping;
  endfunction

  function bit resumes();
    return request.resume && !in_reset && status.state == StateWaiting && !request.start && !wipes();
  endfunction

  // A wipe takes precedence over a start and a resume.
  function bit wipes();
    return CoreWipe && request.wipe && !in_reset && !running() && status.state != StateWiping;
  endfunction

endclass
