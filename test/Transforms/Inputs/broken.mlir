prec.profile @broken {
